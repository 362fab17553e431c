import type { Presence, User } from '#shared/domain/user.ts'

/**
 * The contract knows online and offline; away and busy are drawn as soon as the engine tells them apart. Apps are neither:
 * they answer whenever they are spoken to.
 */
export const presenceOf = (user: Pick<User, 'online' | 'bot'>): Presence | undefined =>
  user.bot ? undefined : user.online ? 'online' : 'offline'
