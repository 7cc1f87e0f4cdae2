/** Signs in as `user` at the exchange of `api`, answers every call, and dials `callee`, where the address says so. */
import * as SendBirdCall from 'ringback';

const { user, callee, api } = Object.fromEntries(new URLSearchParams(location.search));
const output = document.querySelector('output');
const callOption = {
  localMediaView: document.querySelector('#local'),
  remoteMediaView: document.querySelector('#remote'),
};

function follow(call) {
  call.onConnected = () => (output.value = `connected, ${SendBirdCall.currentUser.userId} in ${SendBirdCall.appId}`);
  call.onEnded = () => (output.value = `ended: ${call.endResult}`);
}

async function start() {
  SendBirdCall.init('ringback-demo', api, api.replace('http', 'ws'));
  SendBirdCall.addListener('page', {
    onRinging(call) {
      follow(call);
      call.accept({ callOption });
    },
  });
  await SendBirdCall.authenticate({ userId: user });
  await SendBirdCall.connectWebSocket();
  output.value = 'ready';
  if (callee) follow(SendBirdCall.dial({ userId: callee, isVideoCall: true, callOption }));
}

document.addEventListener('click', () => SendBirdCall.getOngoingCalls().forEach((call) => call.end()));
start().catch((error) => (output.value = `${error.name}: ${error.message}`));
