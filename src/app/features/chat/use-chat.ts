import { createArea } from '../../core/hooks/create-area.ts';
import type { Outbox } from './outbox.ts';

/** The chats of the user. */
export interface ChatArea {
  /** The messages that the user wrote in chats and that are not sent yet. */
  readonly outbox: Outbox;
}

export const [ChatProvider, useChat] = createArea<ChatArea>('chat');
