/** Chats and what was said in them. */

interface ChannelsTable {
  /** Nobody can guess it. */
  channel_url: string;
  /** The two users, as JSON, in order: a pair has one channel. */
  pair: string;
  /** Of the last message; 0 where there is none. */
  last_seq: number;
  created_at: number;
}

/** A channel as one of the two sees it. */
interface MembersTable {
  channel_url: string;
  u_id: string;
  /** The other one. */
  companion: string;
  /** 0 or 1. */
  pinned: number;
  /** 0 or 1. */
  muted: number;
  /** Messages of the other one that are not read. */
  unread: number;
  /** Messages that pages of this one have sent; gifts and calls are none. */
  sent: number;
  last_seq: number;
  last_at: number;
  read_seq: number;
  delivered_seq: number;
  /** Up to here nothing is shown to this one. */
  cleared_seq: number;
}

interface MessagesTable {
  channel_url: string;
  /** From 1, without gaps. */
  seq: number;
  sender: string;
  /** What its sender named it; null for what no page sent. */
  client_id: string | null;
  type: string;
  /** JSON, as the type has it. */
  data: string;
  at: number;
}

export interface ChatTables {
  ringback_channels: ChannelsTable;
  ringback_members: MembersTable;
  ringback_messages: MessagesTable;
}
