/**
 * Tests of host applications, against users with real media. `ringback-lab/testing`:
 *     const world = await openWorld({ name: 'checkout' });
 *     const { appId, apiUrl, wsUrl } = world.addressOf('alice');   // for init() of the page under test
 *     const bob = world.user('bob');
 *     await bob.accepts({ after: '2s' });
 *     // the page calls bob
 *     await bob.hears('alice');
 *     await world.close();
 */
export {
  type Follower,
  type InjectedFault,
  type MessagePattern,
  openWorld,
  type World,
  type WorldFault,
  type WorldOptions,
  type WorldUsers,
} from './world.ts';
export type { Answers, Outcome, TestUser, UserValues, Waits } from './test-user.ts';
export type { LadderFiles, PageAddress } from './kit-messages.ts';
export { WorldError } from './world-error.ts';
export type { TraceEvent } from '../../src/trace/events.ts';
export type { Span } from '../../sim/format/duration.ts';
