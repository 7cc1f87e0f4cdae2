/**
 * The import of an app: every public name, and all of them as one object for `SendBirdCall.dial`. Both are live:
 * `appId` and `currentUser` are read at each access.
 */
import * as SendBirdCall from './index.ts';

export * from './index.ts';
export default SendBirdCall;
