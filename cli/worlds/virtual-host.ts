/** The process that runs cases in virtual time, one after another, so that a run can use several cores. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { serveCases } from './serve-cases.ts';
import { runVirtual } from './run-virtual.ts';

serveCases(({ scenario, one, seed }) => runVirtual({ scenario, one, seed }, nodeClock));
