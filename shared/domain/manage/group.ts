import type { UserId } from '../../lib/brand.ts'

/** People who can be mentioned together. Times in epoch milliseconds. */
export type UserGroup = {
  readonly id: string
  readonly name: string
  readonly description?: string
  /** Only people of this team see it. */
  readonly teamId?: string
  readonly createdAt?: number
  /** At most 100. */
  readonly members: readonly { readonly userId: UserId; readonly admin: boolean }[]
}
