import type { Presence, User } from '#shared/domain/user.ts'

/**
 * The contract has only online and offline; away and busy can be shown once the engine has them. Apps have no presence:
 * they always respond.
 */
export const presenceOf = (user: Pick<User, 'online' | 'bot'>): Presence | undefined =>
  user.bot ? undefined : user.online ? 'online' : 'offline'
