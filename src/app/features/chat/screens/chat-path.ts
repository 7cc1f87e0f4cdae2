/** Returns the path of a chat. */
export const chatPath = (channelUrl: string): string => `/man-chat-list/${encodeURIComponent(channelUrl)}`;
