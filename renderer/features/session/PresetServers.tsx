import type { PresetServer } from '#shared/domain/desktop/policies.ts'
import { useTexts } from '../../i18n/index.ts'
import { useHost } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'

/** Servers preset by the administrator of this device: a click fills in the address and the key. */
export function PresetServers({ onChoose }: { readonly onChoose: (server: PresetServer) => void }) {
  const t = useTexts('desktop')
  const servers = useHost().managed?.values.ServerList ?? []
  if (servers.length === 0) return null
  return (
    <div role="group" aria-label={t('managed.policies.ServerList')}>
      {servers.map((server) => (
        <Button key={`${server.url} ${server.apiKey}`} icon="server" block onClick={() => onChoose(server)}>
          {server.name}
        </Button>
      ))}
    </div>
  )
}
