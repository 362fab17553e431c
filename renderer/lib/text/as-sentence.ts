/** A text that more sentences follow: one that ends as a sentence gets no second full stop. */
export const asSentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`)
