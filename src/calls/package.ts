/**
 * What an app imports: every public name, and all of them as one object for those that write `SendBirdCall.dial`. Both
 * are live: `appId` and `currentUser` are read when they are asked for.
 */
import * as SendBirdCall from './index.ts';

export * from './index.ts';
export default SendBirdCall;
