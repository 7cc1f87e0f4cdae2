/** The server of the bench of abuse, a child process: says its port, and how much memory it holds when it is asked. */
import { heldBytes } from '../contract/exchange/hostile-bodies.ts';
import { startSim } from '../../sim/server/start-sim.ts';

const sim = await startSim({ demo: true, port: 0, settings: { devicesPerUser: 100 } });
process.on('message', () => process.send?.({ heldBytes: heldBytes() }));
process.on('disconnect', () => process.exit());
process.send?.({ url: sim.url });
