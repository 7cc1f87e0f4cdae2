/**
 * What the web app asks of the product server, and what it answers. One schema a body.
 *
 * The shell's own requests (`GET /auth/refresh_token`, the presence socket at `/ws/online/{u_id}`) follow app-shell §7;
 * the others are ours. Failures answer `{ code, message }` with a fitting HTTP status.
 */
import * as v from 'valibot';

/** The two kinds of users (app-shell §1). */
export const genderType = v.picklist(['man', 'woman']);
export type GenderType = v.InferOutput<typeof genderType>;

/** What others see of somebody's presence. */
export const presence = v.picklist(['online', 'in_call', 'offline']);
export type Presence = v.InferOutput<typeof presence>;

/** `POST /auth/login`. `password` is needed on a server for real users; the demo world signs its own users in without one. */
export const loginRequest = v.object({
  user_id: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  password: v.optional(v.string()),
});

/** The answer to a login: a bearer token for the product, and the identity for the calling service. */
export const loginResponse = v.object({
  token: v.string(),
  u_id: v.string(),
  gender_type: genderType,
  calling_user_id: v.string(),
  calling_access_token: v.string(),
});
export type LoginResponse = v.InferOutput<typeof loginResponse>;

/** One person as the home shows them. `price` is in coins a minute; `last_seen_at` in milliseconds since the epoch. */
export const person = v.object({
  u_id: v.string(),
  nickname: v.string(),
  profile_url: v.string(),
  gender_type: genderType,
  age: v.number(),
  city: v.string(),
  price: v.number(),
  verified: v.boolean(),
  accepts_video: v.boolean(),
  joined_at: v.number(),
  presence,
  last_seen_at: v.nullable(v.number()),
});
export type Person = v.InferOutput<typeof person>;

/** `GET /users`: everybody but the one who asks. */
export const peopleResponse = v.object({ users: v.array(person) });

/** `GET /demo/users`: whom a visitor of the demo may sign in as. */
export const demoUsersResponse = v.object({
  users: v.array(
    v.object({ u_id: v.string(), nickname: v.string(), profile_url: v.string(), gender_type: genderType }),
  ),
});
export type DemoUser = v.InferOutput<typeof demoUsersResponse>['users'][number];

/** A message on `/ws/events`: somebody's presence changed. */
export const presenceChanged = v.object({
  type: v.literal('presence_changed'),
  u_id: v.string(),
  presence,
  last_seen_at: v.nullable(v.number()),
});
export type PresenceChanged = v.InferOutput<typeof presenceChanged>;

/**
 * The settings the page is served with as `/config.js`, which sets `window.__CONFIG__` (app-shell §9: a global
 * configuration object holds `ws_url`).
 */
export const appConfig = v.object({
  app_id: v.string(),
  api_url: v.string(),
  ws_url: v.string(),
  calling_api_url: v.string(),
  calling_ws_url: v.string(),
});
export type AppConfig = v.InferOutput<typeof appConfig>;
