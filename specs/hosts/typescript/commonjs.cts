/** A CommonJS module, checked as one. */
import SendBirdCall = require('ringback');

const ringing: string = SendBirdCall.SoundType.RINGING;
const call: SendBirdCall.DirectCall | undefined = SendBirdCall.getCall('call-id');
const facade: typeof SendBirdCall.default = SendBirdCall.default;

export = { ringing, call, facade };
