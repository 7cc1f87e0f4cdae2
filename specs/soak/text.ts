/** The results of soak runs as lines. */
import { spanText } from '../../sim/format/duration.ts';
import { holds, type SoakResult, type SoakRun } from './soak-run.ts';

const NAME_WIDTH = 42;

export function resultText(result: SoakResult): string {
  const { id, figures, conditions, elapsedMs, isShort, seed } = result;
  const lines = [
    ...figures.map(([name, value]) => `  ${name.padEnd(NAME_WIDTH)} ${value}`),
    ...conditions.map(({ ok, text, measured }) => `  ${ok ? 'ok      ' : 'FAILED  '} ${text}  (${measured})`),
  ];
  const form = isShort ? 'short form' : 'long form';
  const verdict = holds(result) ? 'holds' : 'does not hold';
  return `${lines.join('\n')}\n${id} ${verdict}: ${form}, ${spanText(Math.round(elapsedMs / 100) * 100)}, seed ${seed}\n`;
}

export const listText = (runs: readonly SoakRun[]): string =>
  runs
    .map(({ id, about, minutes, shortMs }) => {
      const long = minutes === null ? 'until it is done' : `${minutes} minutes`;
      return `${id.padEnd(4)} ${about}. Long form: ${long}${shortMs === null ? ', no short form' : ''}.\n`;
    })
    .join('');
