import { useCallback } from 'react'
import { SUGGESTION_PAGE } from '#shared/constants.ts'
import type { Channel } from '#shared/domain/channel.ts'
import { filledSnippet, matchSnippets } from '#shared/rules/composer/snippets.ts'
import { useFormats } from '../../../i18n/index.ts'
import { useMe, useSetting, useUser } from '../../../store/hooks.ts'
import type { Suggestion } from './use-suggestions.ts'

/** The person's own texts, filled in for this place and this moment. */
export function useSnippets(channel: Channel): (query: string) => readonly Suggestion[] {
  const snippets = useSetting('snippets')
  const formats = useFormats()
  const me = useMe()?.name ?? ''
  const other = useUser(channel.directUserId)?.name
  const name = other ?? channel.name
  return useCallback(
    (query) => {
      const now = Date.now()
      const values = { me, name, date: formats.date(now, now), time: formats.time(now) }
      return matchSnippets(snippets, query, formats.compare)
        .slice(0, SUGGESTION_PAGE)
        .map((each) => ({
          kind: 'snippet',
          id: each.name,
          insert: filledSnippet(each.text, values),
          name: each.name,
        }))
    },
    [snippets, formats, me, name],
  )
}
