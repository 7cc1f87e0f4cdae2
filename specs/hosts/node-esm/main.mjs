/** Imports the library without a window, as a rendering server does, and prints the result. */
import SendBirdCall, { ErrorCode, init, sdkVersion } from 'ringback';
import * as everything from 'ringback';
import 'ringback/global';
import { sdkVersion as minifiedVersion } from 'ringback/min';

let refusal = null;
try {
  init('ringback-demo');
} catch ({ name, message }) {
  refusal = { name, message };
}
console.log(
  JSON.stringify({
    versions: [sdkVersion, minifiedVersion, globalThis.SendBirdCall.sdkVersion],
    code: ErrorCode.ERR_REQUEST_FAILED,
    sameFunction: SendBirdCall.init === init && everything.init === init,
    currentUser: SendBirdCall.currentUser,
    refusal,
  }),
);
