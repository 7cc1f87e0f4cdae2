/** Prints a proof: the total of each area, and its rows. */
import type { Proof, ProofRow } from './proof.ts';

/** `all` lists every row, `missing` those without a proof, `none` only the totals. */
export type ListedRows = 'all' | 'missing' | 'none';

const isListed = ({ status }: ProofRow, listed: ListedRows) =>
  listed === 'all' || (listed === 'missing' && status === 'missing');

export function reportLines({ total, proven, rows }: Proof, listed: ListedRows): string[] {
  const areas = new Set(rows.map(({ area }) => area));
  return [
    ...[...areas].flatMap((area) => {
      const ofArea = rows.filter((row) => row.area === area);
      const count = ofArea.filter(({ status }) => status === 'proven').length;
      return [
        `${area.padEnd(16)} ${String(count).padStart(3)} of ${String(ofArea.length).padStart(3)} proven`,
        ...ofArea
          .filter((row) => isListed(row, listed))
          .map(({ id, status, statement }) => `  ${status.padEnd(7)} ${id}: ${statement}`),
      ];
    }),
    `${'all'.padEnd(16)} ${String(proven).padStart(3)} of ${String(total).padStart(3)} proven`,
  ];
}
