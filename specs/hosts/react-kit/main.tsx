/** A phone in React: it signs in with the values of its address, makes and takes calls, and enters a room. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RingbackProvider } from 'ringback/react';
import { Phone } from './phone';
import { Room } from './room';

const { user = '', appId = '', apiUrl, wsUrl, room } = Object.fromEntries(new URLSearchParams(location.search));
const load = () => import('ringback');

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <RingbackProvider appId={appId} apiHost={apiUrl} websocketHost={wsUrl} load={load} user={{ userId: user }}>
      <Phone />
      {room !== undefined && <Room roomId={room} />}
    </RingbackProvider>
  </StrictMode>,
);
