/** Adds a full stop, unless the text already ends with one or with another terminator. */
export const asSentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`)
