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
