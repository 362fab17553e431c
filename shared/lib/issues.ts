/** One problem of an input. `code` names a text in the locale files; `params` fill its placeholders. */
export type Issue = {
  readonly code: string
  readonly path?: readonly (string | number)[]
  readonly params?: Readonly<Record<string, string | number>>
}
