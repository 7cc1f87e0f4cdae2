/** Signs the users of a run with media in, each as a client of the library over wrtc. */
import { CALLEE_TONE, CALLER_TONE, PICTURE } from '../defaults.ts';
import { createWrtcPlatform } from '../headless/platform/wrtc-platform.ts';
import { signIn } from '../headless/sign-in.ts';
import { SignInFailed } from '../sign-in-failure.ts';
import { MediaPair, type MediaUser } from './media-pair.ts';
import { type LoadPair, type OpenOptions, refusalOf } from './open-pairs.ts';
import type { LoadUser } from './users.ts';

/** @throws CommandError in one line, after every signed-in user was signed out. */
export async function openMediaPairs(options: OpenOptions, hasVideo: boolean): Promise<LoadPair[]> {
  const { users, clock, opened, isStopped } = options;
  const pairs: MediaPair[] = [];
  const userOf = async (user: LoadUser, sends: number, hears: number): Promise<MediaUser> => {
    const platform = createWrtcPlatform({ tone: sends, ...PICTURE }, () => undefined);
    const { server, appId } = options;
    try {
      return { userId: user.userId, client: await signIn({ server, appId, ...user }, platform), hears };
    } catch (error) {
      for (const pair of pairs) pair.close();
      throw error instanceof SignInFailed ? refusalOf(error.event, server, user) : error;
    }
  };
  for (let at = 0; at + 1 < users.length && !isStopped(); at += 2) {
    const [caller, callee] = users.slice(at, at + 2) as [LoadUser, LoadUser];
    pairs.push(
      new MediaPair(await userOf(caller, CALLER_TONE, CALLEE_TONE), await userOf(callee, CALLEE_TONE, CALLER_TONE), {
        hasVideo,
        clock,
      }),
    );
    opened(pairs.length);
  }
  return pairs;
}
