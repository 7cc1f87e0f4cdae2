/** Requires the library for its enumerations, and prints them. */
const SendBirdCall = require('ringback');
const { SoundType, default: facade, sdkVersion } = SendBirdCall;
const { version } = require('ringback/package.json');

let refusal = null;
try {
  SendBirdCall.init('ringback-demo');
} catch ({ name, message }) {
  refusal = { name, message };
}
console.log(
  JSON.stringify({
    sdkVersion,
    sounds: Object.keys(SoundType),
    result: SendBirdCall.DirectCallEndResult.NO_ANSWER,
    sameFunction: facade.init === SendBirdCall.init,
    isLive: Object.getOwnPropertyDescriptor(SendBirdCall, 'currentUser')?.get !== undefined,
    isVersioned: typeof version === 'string',
    refusal,
  }),
);
