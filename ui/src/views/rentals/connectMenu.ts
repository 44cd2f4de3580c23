import type { RentalDto } from "../../lib/host/bindings";
import { mayKeep } from "../../lib/rental/activity";
import type { MenuGroup } from "../../lib/ui/menu";
import { m } from "../../paraglide/messages.js";
import type { RentalActions } from "./actions.svelte";

/** The menu of one rental: the ways in, then its life. What cannot be done now says why. */
export function rentalMenu(rental: RentalDto, actions: RentalActions): MenuGroup[] {
  const may = (action: string) => rental.actions.includes(action);
  const way = may("connect") ? undefined : m.only_when_ready();
  const shell = rental.ssh?.proxy ? m.proxy_shell_only() : way;
  return [
    {
      heading: m.connect(),
      items: [
        { label: m.terminal_here(), hint: "c", disabled: way, run: () => actions.connect(rental) },
        { label: m.terminal_system(), disabled: way, run: () => void actions.openIn(rental, "terminal") },
        { label: "VS Code", disabled: shell, run: () => void actions.openIn(rental, "vscode") },
        { label: "Cursor", disabled: shell, run: () => void actions.openIn(rental, "cursor") },
        {
          label: m.copy_ssh({ name: rental.ssh?.alias ?? rental.name }),
          disabled: rental.ssh ? undefined : m.only_when_ready(),
          run: () => actions.copySsh(rental),
        },
        {
          label: m.ports(),
          disabled: shell,
          run: () => (actions.sheet = { kind: "ports", rental }),
        },
      ],
    },
    {
      heading: m.life(),
      items: [
        ...(may("start") ? [{ label: m.start(), hint: "s", run: () => void actions.start(rental) }] : []),
        {
          label: m.extend({ span: m.unit_hours({ n: "2" }) }),
          disabled: may("extend") ? undefined : m.not_now(),
          run: () => void actions.extend(rental, 2),
        },
        {
          label: m.lease_dots(),
          hint: "l",
          disabled: may("extend") ? undefined : m.not_now(),
          run: () => (actions.sheet = { kind: "lease", rental }),
        },
        ...(mayKeep(rental) ? [{ label: m.keep(), run: () => void actions.keep(rental) }] : []),
        {
          label: m.stop_dots(),
          hint: "s",
          disabled: may("stop") ? undefined : m.not_now(),
          run: () => (actions.sheet = { kind: "stop", rental }),
        },
        {
          label: may("retry-end") ? m.end_again() : m.end_dots(),
          hint: "e",
          disabled: may("end") || may("retry-end") ? undefined : m.not_now(),
          run: () => (actions.sheet = { kind: "end", rental }),
        },
      ],
    },
  ];
}
