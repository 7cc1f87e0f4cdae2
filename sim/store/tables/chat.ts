/** The tables of chats and their messages. */

interface ChannelsTable {
  /** Random, so that it cannot be guessed. */
  channel_url: string;
  /** The two users as sorted JSON: a pair has one channel. */
  pair: string;
  /** The number of the last message. 0 without messages. */
  last_seq: number;
  created_at: number;
}

/** A channel as one of its two users sees it. */
interface MembersTable {
  channel_url: string;
  u_id: string;
  /** The other user. */
  companion: string;
  /** 0 or 1. */
  pinned: number;
  /** 0 or 1. */
  muted: number;
  /** The unread messages of the other user. */
  unread: number;
  /** The messages that pages of this user have sent. Gifts and calls do not count. */
  sent: number;
  last_seq: number;
  last_at: number;
  read_seq: number;
  delivered_seq: number;
  /** Messages up to this number are hidden from this user. */
  cleared_seq: number;
}

interface MessagesTable {
  channel_url: string;
  /** The number of the message, from 1, without gaps. */
  seq: number;
  sender: string;
  /** The name that the sender's page gave it. Null for a message that no page sent. */
  client_id: string | null;
  type: string;
  /** JSON, by the type of the message. */
  data: string;
  at: number;
}

export interface ChatTables {
  ringback_channels: ChannelsTable;
  ringback_members: MembersTable;
  ringback_messages: MessagesTable;
}
