/**
 * Signs in as `user`, accepts every call, and dials `callee` when the address has it. Effects start everything and
 * undo it, and strict mode runs each effect twice.
 */
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import SendBirdCall, { type DirectCall } from 'ringback';

const { user = '', callee, api = '' } = Object.fromEntries(new URLSearchParams(location.search));
globalThis.RINGBACK = { apiHost: api, websocketHost: api.replace('http', 'ws') };

function Call({ callee: userId, show }: { callee: string; show: (word: string) => void }) {
  useEffect(() => {
    const call = SendBirdCall.dial({ userId, isVideoCall: false, callOption: {} });
    call.onConnected = () => show('connected');
    return () => call.end();
  }, [userId, show]);
  return <p>calling {userId}</p>;
}

function Phone() {
  const [isReady, setReady] = useState(false);
  const [words, setWords] = useState<readonly string[]>([]);
  const [show] = useState(() => (word: string) => setWords((before) => [...before, word]));

  useEffect(() => {
    let isGone = false;
    SendBirdCall.init('ringback-demo');
    SendBirdCall.addListener('phone', {
      onRinging: (call: DirectCall) => {
        show(`rung by ${call.callId}`);
        call.onConnected = () => show('connected');
        call.accept({ callOption: {} });
      },
    });
    const signIn = async () => {
      await SendBirdCall.authenticate({ userId: user });
      await SendBirdCall.connectWebSocket();
      if (!isGone) setReady(true);
    };
    signIn().catch((error: Error) => {
      // The component is gone, so it has no place for the error.
      if (!isGone) show(error.message);
    });
    return () => {
      isGone = true;
      setReady(false);
      SendBirdCall.removeListener('phone');
      SendBirdCall.deauthenticate();
    };
  }, [show]);

  return (
    <>
      <output>{isReady ? 'ready' : 'starting'}</output>
      <ul>
        {words.map((word, at) => (
          <li key={at}>{word}</li>
        ))}
      </ul>
      {isReady && callee && <Call callee={callee} show={show} />}
    </>
  );
}

function App() {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <button onClick={() => setShown(!isShown)}>{isShown ? 'leave' : 'come back'}</button>
      {isShown && <Phone />}
    </>
  );
}

// For tests that look at the page from outside.
Object.assign(globalThis, { ongoing: () => SendBirdCall.getOngoingCallCount() });

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
