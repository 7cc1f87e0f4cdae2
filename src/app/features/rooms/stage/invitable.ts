import type { Presence } from '../../../../protocol/product/values.ts';

/** A user who can be invited. */
export interface Invitable {
  readonly u_id: string;
  readonly nickname: string;
  readonly profile_url: string;
  readonly city: string;
  readonly presence: Presence;
}

export type InviteStep = 'busy' | 'sent' | 'failed';

/** Returns the users who can be invited, those of chats first. Users in the room are left out. */
export function invitable(
  talked: readonly Invitable[],
  others: readonly Invitable[],
  { inside, search }: { readonly inside: readonly string[]; readonly search: string },
): readonly Invitable[] {
  const wanted = search.trim().toLocaleLowerCase();
  const all = new Map([...others, ...talked].map((person) => [person.u_id, person]));
  const order = [...new Set([...talked, ...others].map(({ u_id }) => u_id))];
  return order
    .map((id) => all.get(id))
    .filter((person) => person !== undefined)
    .filter(({ u_id }) => !inside.includes(u_id))
    .filter(({ u_id, nickname }) => `${nickname} ${u_id}`.toLocaleLowerCase().includes(wanted));
}
