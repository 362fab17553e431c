import type { Cid } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { useChannel, useConnection } from '../../store/hooks.ts'
import { Banner } from '../../ui/Banner.tsx'

/** One banner at a time: the connection's goes before this one. */
export function FrozenBanner({ cid }: { readonly cid: Cid }) {
  const t = useTexts('channel')
  const frozen = useChannel(cid)?.frozen === true
  const { offline, blocked, serverRestarting } = useConnection()
  if (!frozen || offline || blocked !== undefined || serverRestarting) return null
  return (
    <Banner icon="snow" tone="quiet">
      {t('frozen')}
    </Banner>
  )
}
