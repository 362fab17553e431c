import { Fragment, type ReactNode } from 'react'

/** Stand-ins of the private use area: no text of ours holds them, and no translation changes them. */
const FIRST_STAND_IN = 0xe000

/**
 * A text with `<b>` in it and values put in as they are, so that a name which looks like a tag stays a name.
 *
 * @param translate gets a stand-in for each value and answers the translated text, for example
 *   `(values) => t('one', values)`
 */
export function richText<Name extends string>(
  translate: (standIns: Record<Name, string>) => string,
  values: Readonly<Record<Name, string>>,
): ReactNode {
  const names = Object.keys(values) as Name[]
  const standIns = Object.fromEntries(
    names.map((name, index) => [name, String.fromCodePoint(FIRST_STAND_IN + index)]),
  ) as Record<Name, string>
  const filled = (text: string): string =>
    names.reduce((done, name) => done.replaceAll(standIns[name], () => values[name]), text)
  return translate(standIns)
    .split(/(<b>.*?<\/b>)/)
    .map((part, index) => {
      const bold = /^<b>(.*)<\/b>$/.exec(part)
      return <Fragment key={index}>{bold ? <b>{filled(bold[1] ?? '')}</b> : filled(part)}</Fragment>
    })
}
