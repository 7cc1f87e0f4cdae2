import type { Companion } from '../../../../protocol/product/chat.ts';
import type { CallKind } from '../../../../react/index.ts';
import { useCalling } from '../../calling/use-calling.ts';

/** Returns the function that calls the other user of a chat. */
export function useDial({ u_id, nickname, profile_url }: Companion): (kind: CallKind) => void {
  const { dialer } = useCalling();
  return (kind) => void dialer.dial({ userId: u_id, nickname, profileUrl: profile_url }, kind);
}
