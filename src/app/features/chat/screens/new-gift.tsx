import { useState } from 'react';
import type { Message } from '../../../../protocol/product/chat.ts';
import { GiftFlight } from '../../gifts/gift-flight.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { useSession } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';

/** Animates the last gift that arrived while the chat was open. */
export function NewGift({ messages, name }: { messages: readonly Message[]; name: string }) {
  const { uId } = useStore(useSession().user.user);
  const [seenBefore] = useState(messages.at(-1)?.seq ?? 0);
  const last = messages.at(-1);
  if (last?.type !== 'gift' || last.seq <= seenBefore) return null;
  return <GiftFlight key={last.seq} gift={last.data} giver={last.from === uId ? m.gifts_me() : name} />;
}
