/** The server of a bench, a child process: reports its port, and its memory on request. */
import { heldBytes } from '../contract/exchange/hostile-bodies.ts';
import { startSim } from '../../sim/server/start-sim.ts';

const sim = await startSim({ demo: true, port: 0, settings: { devicesPerUser: 100 } });
process.on('message', () => void heldBytes().then((bytes) => process.send?.({ heldBytes: bytes })));
process.on('disconnect', () => process.exit());
process.send?.({ url: sim.url });
