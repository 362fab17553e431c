import { useMemo } from 'react'
import { useAppSelector } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import type { User } from '#shared/domain/user.ts'

/** The name of a user as it is shown, or the id until it is known. */
export const nameOf = (user: Pick<User, 'name'> | undefined, userId: string): string => cleanName(user?.name ?? userId)

export const selectName = (state: AppState, userId: string): string => nameOf(state.entities.users[userId], userId)

/** The name of a user, or the id until it is known. */
export const useName = (userId: string): string => useAppSelector((state) => selectName(state, userId))

/** Names in the order of the ids. The array changes only when a name does. */
export function useNames(userIds: readonly string[]): readonly string[] {
  const joined = useAppSelector((state) => joinedNames(state, userIds))
  return useMemo(() => splitNames(joined), [joined])
}

/** Names as one text, which a selector can compare. */
export const joinedNames = (state: AppState, userIds: readonly string[]): string =>
  userIds.map((userId) => selectName(state, userId)).join('\u0000')

export const splitNames = (joined: string): readonly string[] => (joined === '' ? [] : joined.split('\u0000'))
