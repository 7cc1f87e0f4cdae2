/** A phone: it signs in with the values of its address, shows each call, and calls bob. */
const { user, appId, apiUrl, wsUrl } = Object.fromEntries(new URLSearchParams(location.search));
const show = (text) => (document.querySelector('[role=status]').textContent = text);
const callOption = {
  localMediaView: document.querySelector('#local'),
  remoteMediaView: document.querySelector('#remote'),
};
let call;

function follow(next) {
  call = next;
  call.onConnected = () => show('connected');
  call.onEnded = () => show(`ended: ${call.endResult}`);
}

async function start() {
  SendBirdCall.init(appId, apiUrl, wsUrl);
  SendBirdCall.addListener('phone', {
    onRinging(next) {
      follow(next);
      show(`${next.caller.userId} calls`);
    },
  });
  await SendBirdCall.authenticate({ userId: user });
  await SendBirdCall.connectWebSocket();
  show('ready');
}

document.querySelector('#call').addEventListener('click', () => {
  follow(SendBirdCall.dial({ userId: 'bob', isVideoCall: true, callOption }));
});
document.querySelector('#end').addEventListener('click', () => call.end());
setInterval(() => {
  const seconds = call ? Math.floor(call.getDuration() / 1000) : 0;
  document.querySelector('[role=timer]').textContent = seconds;
}, 500);
start().catch((error) => show(`${error.name}: ${error.message}`));
