/** Signs in as `user` at the exchange of `api`, accepts every call, and dials `callee` when the address has it. */
import SendBirdCall, {
  appId,
  AuthOption,
  currentUser,
  DialParams,
  DirectCall,
  DirectCallEndResult,
  DirectCallLog,
  User,
} from 'ringback';
import * as names from 'ringback';

const query = new URLSearchParams(location.search);
const output = document.querySelector('output') as HTMLOutputElement;
const callOption = {
  localMediaView: document.querySelector<HTMLVideoElement>('#local'),
  remoteMediaView: document.querySelector<HTMLVideoElement>('#remote'),
};

/** The user is read without a check, as hosts do once a user has signed in. */
const caption = (): string => `connected, ${currentUser.userId} in ${appId}`;

function follow(call: DirectCall): void {
  call.onConnected = () => (output.value = caption());
  call.onEnded = ({ callLog, endResult }: names.DirectCall) => {
    const log: DirectCallLog = callLog;
    const began: Date = new Date(log.startedAt);
    const result = endResult === DirectCallEndResult.COMPLETED ? 'completed' : endResult;
    output.value = `ended: ${result}, begun ${began.getFullYear() > 2000}`;
  };
}

async function start(): Promise<User> {
  const api = query.get('api') || '';
  names.init('ringback-demo', api, api.replace('http', 'ws'));
  SendBirdCall.addListener('page', {
    onRinging: (call) => {
      follow(call);
      call.accept({ callOption });
    },
  });
  const option: AuthOption = { userId: query.get('user') || '' };
  const user: SendBirdCall.User = await SendBirdCall.authenticate(option);
  await names.connectWebSocket();
  output.value = 'ready';
  const callee = query.get('callee');
  const params: DialParams | null = callee ? { userId: callee, isVideoCall: true, callOption } : null;
  if (params) follow(SendBirdCall.dial(params));
  return user;
}

document.addEventListener('click', () => SendBirdCall.getOngoingCalls().forEach((call) => call.end()));
start().catch((error: Error) => (output.value = `${error.name}: ${error.message}`));
