/** Ids as the contract has them: for the schemas of the bridge, and for a page's address. */

const isClean = (value: string): boolean => value.isWellFormed() && !value.includes('\u0000')

/** `type:id` of a channel. */
export const isCid = (value: string): boolean => value.length <= 129 && /^[A-Za-z0-9_-]+:[A-Za-z0-9!_-]+$/.test(value)

export const isMessageId = (value: string): boolean => value.length > 0 && value.length <= 255 && isClean(value)
