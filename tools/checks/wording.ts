/**
 * `npm run wording -- FOLDER...`: lists the words that the rules of writing forbid, also in files that the check does
 * not read yet.
 */
import { checkWording } from './documents/check-wording.ts';

const areas = process.argv.slice(2);
const { faults, looked } = checkWording(
  '.',
  areas.flatMap((area) => (/\.\w+$/.test(area) ? [area] : [`${area}/**/*.{ts,tsx,css,md,yaml}`])),
);
for (const fault of faults) console.log(fault);
console.log(`${faults.length} in ${looked}`);
process.exitCode = faults.length > 0 ? 1 : 0;
