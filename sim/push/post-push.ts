import type { PostPush } from './web-push-sender.ts';

const LIMIT_MS = 10_000;

/** Posts a push message over the network. Does not follow redirects. */
export const postPush: PostPush = async (url, { headers, body }) => {
  const { 'Content-Length': _, ...sent } = headers;
  const response = await fetch(url, {
    method: 'POST',
    headers: sent,
    body: Buffer.from(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  await response.body?.cancel();
  return response.status;
};
