/** Nominal strings: ids of different things never mix by accident. Costs nothing at run time. */
declare const kind: unique symbol

type Brand<Name extends string> = string & { readonly [kind]: Name }

/** `type:id` of a channel, for example `messaging:general`. */
export type Cid = Brand<'Cid'>
export type MessageId = Brand<'MessageId'>
export type UserId = Brand<'UserId'>
export type PollId = Brand<'PollId'>

export const asCid = (value: string): Cid => value as Cid
export const asMessageId = (value: string): MessageId => value as MessageId
export const asUserId = (value: string): UserId => value as UserId
export const asPollId = (value: string): PollId => value as PollId

/** Ids as the contract has them: for the schemas of the bridge, and for a page's address. */

const isClean = (value: string): boolean => value.isWellFormed() && !value.includes('\u0000')

/** `type:id` of a channel. */
export const isCid = (value: string): boolean => value.length <= 129 && /^[A-Za-z0-9_-]+:[A-Za-z0-9!_-]+$/.test(value)

export const isMessageId = (value: string): boolean => value.length > 0 && value.length <= 255 && isClean(value)
