/** The native WebRTC engine. Only the peer hosts import it: see sim/media/wrtc.ts. */
export * from '../../../sim/media/wrtc.ts';
