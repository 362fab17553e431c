import type { Presence, User } from '#shared/domain/user.ts'

/** The contract knows online and offline; away and busy are drawn as soon as the engine tells them apart. */
export const presenceOf = (user: Pick<User, 'online'>): Presence => (user.online ? 'online' : 'offline')
