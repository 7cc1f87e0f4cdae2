/** A rule of a host application: at night, only favourites may call. Other calls are declined. */
import * as ringback from 'ringback';

export interface QuietHours {
  readonly favourites: readonly string[];
  isNight(): boolean;
}

/** Signs in, and applies the rule to every call. Returns the users whose calls were declined. */
export async function openQuietPhone(
  { appId, apiUrl, wsUrl }: { appId: string; apiUrl: string; wsUrl: string },
  userId: string,
  { favourites, isNight }: QuietHours,
): Promise<string[]> {
  const declined: string[] = [];
  ringback.init(appId, apiUrl, wsUrl);
  ringback.addListener('quiet hours', {
    onRinging(call) {
      const caller = call.caller.userId;
      if (!isNight() || favourites.includes(caller)) return;
      declined.push(caller);
      call.end();
    },
  });
  await ringback.authenticate({ userId });
  await ringback.connectWebSocket();
  return declined;
}
