import { Fragment, type ReactNode } from 'react'

/** Placeholders from the private use area: no text contains them, and no translation changes them. */
const FIRST_PLACEHOLDER = 0xe000
const PLACEHOLDER = /([\ue000-\uf8ff])/

/**
 * A text with `<b>` whose values are inserted verbatim, so that a name that looks like a tag stays a name.
 *
 * @param translate gets a placeholder for each value and returns the translated text, for example
 *   `(values) => t('one', values)`
 * @param values strings or elements
 */
export function richText<Name extends string>(
  translate: (placeholders: Record<Name, string>) => string,
  values: Readonly<Record<Name, ReactNode>>,
): ReactNode {
  const names = Object.keys(values) as Name[]
  const placeholders = Object.fromEntries(
    names.map((name, index) => [name, String.fromCodePoint(FIRST_PLACEHOLDER + index)]),
  ) as Record<Name, string>
  const valueOf = (part: string): ReactNode => {
    const name = names.find((each) => placeholders[each] === part)
    return name === undefined ? part : values[name]
  }
  const filled = (text: string): ReactNode =>
    text.split(PLACEHOLDER).map((part, index) => <Fragment key={index}>{valueOf(part)}</Fragment>)
  return translate(placeholders)
    .split(/(<b>.*?<\/b>)/)
    .map((part, index) => {
      const bold = /^<b>(.*)<\/b>$/.exec(part)
      return <Fragment key={index}>{bold ? <b>{filled(bold[1] ?? '')}</b> : filled(part)}</Fragment>
    })
}

/** Adds a full stop, unless the text already ends with one or with another terminator. */
export const asSentence = (text: string): string => (/[.!?…]$/u.test(text) ? text : `${text}.`)
