/** `npm run sbom`: writes dist/sbom.cdx.json. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readLockFile } from '../checks/supply-chain/lock-file.ts';
import { makeSbom } from '../package/sbom.ts';

const PLACE = 'dist/sbom.cdx.json';

const sbom = makeSbom(readLockFile('.'));
mkdirSync('dist', { recursive: true });
writeFileSync(PLACE, `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`${PLACE}: ${sbom.components.length} packages`);
