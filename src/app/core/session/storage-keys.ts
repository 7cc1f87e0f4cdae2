/** The storage keys of a session (app-shell §3). */
export const storageKeys = {
  token: 'token',
  userId: 'u_id',
  genderType: 'gender_type',
  callingUserId: 'calling_user_id',
  callingAccessToken: 'calling_access_token',
} as const;

/** The calling user when none is stored (app-shell §3). A server for real users refuses it. */
export const DEFAULT_CALLING_USER_ID = 'testUser';
