/**
 * Drops the schemas of a run of tests by its number. specs/contract/store/postgres-schema.ts starts it when the run
 * is interrupted.
 */
import { dropSchemasOf } from './postgres-schema.ts';

const [owner = ''] = process.argv.slice(2);
if (/^\d+$/.test(owner)) await dropSchemasOf(owner);
