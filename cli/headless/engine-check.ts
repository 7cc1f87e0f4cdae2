/**
 * The check of the media engine: a process that connects two peer connections on loopback. The command forks it as it
 * forks the peer host, so that a crash of the engine does not end the command.
 */
import * as v from 'valibot';
import { wrtc } from './media/wrtc.ts';
import { engineCommand, type EngineEvent } from './engine-messages.ts';

const emit = (event: EngineEvent) => {
  if (process.connected) process.send?.(event);
};

/** Resolves when a data channel between two peer connections is open. */
async function connectLoopback(): Promise<void> {
  const [one, other] = [new wrtc.RTCPeerConnection(), new wrtc.RTCPeerConnection()];
  one.onicecandidate = ({ candidate }) => candidate && void other.addIceCandidate(candidate);
  other.onicecandidate = ({ candidate }) => candidate && void one.addIceCandidate(candidate);
  const channel = one.createDataChannel('check');
  const opened = new Promise<void>((resolve) => channel.addEventListener('open', () => resolve()));
  await one.setLocalDescription(await one.createOffer());
  await other.setRemoteDescription(one.localDescription as RTCSessionDescription);
  await other.setLocalDescription(await other.createAnswer());
  await one.setRemoteDescription(other.localDescription as RTCSessionDescription);
  await opened;
}

process.on('message', (message) => {
  if (!v.is(engineCommand, message)) process.exit(1);
  connectLoopback().then(
    () => emit({ type: 'connected' }),
    (error: unknown) => emit({ type: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group. The parent handles it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

emit({ type: 'ready' });
