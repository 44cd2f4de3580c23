import { createContext } from "svelte";
import { SvelteSet } from "svelte/reactivity";

import type { Answers } from "../../lib/data/answers";
import * as units from "../../lib/format/units";
import type { ForwardDto, LeaseSetRequest, RentalDto, UnmanagedDto } from "../../lib/host/bindings";
import type { Command, Request, Response } from "../../lib/host/host";
import { hostError } from "../../lib/host/host";
import type { Toasts } from "../../lib/ui/toasts.svelte";
import { m } from "../../paraglide/messages.js";
import type { MarketActions } from "../market/actions.svelte";
import type { Terminals } from "../terminal/terminals.svelte";

/** A sheet that asks before something is done, or shows something about one rental. */
export type Sheet =
  | { kind: "stop" | "end" | "lease" | "ports"; rental: RentalDto }
  | { kind: "receipt"; rental: Pick<RentalDto, "id" | "name"> }
  | { kind: "end-unmanaged" | "adopt"; machine: UnmanagedDto };

/** What can be done with rentals from anywhere: table, details, menus, keys, palette. Every outcome is told. */
export class RentalActions {
  sheet = $state.raw<Sheet | null>(null);
  /** Rentals something was asked for and not answered yet. */
  readonly busy = new SvelteSet<string>();

  constructor(
    readonly answers: Answers,
    readonly toasts: Toasts,
    readonly terminals: Terminals,
    /** Owns the clipboard and the way errors are told. */
    readonly market: MarketActions,
  ) {}

  /** Asks for something about one rental; tells what went wrong. */
  async #ask<K extends Command>(id: string, command: K, request: Request<K>): Promise<Response<K> | null> {
    if (this.busy.has(id)) return null;
    this.busy.add(id);
    try {
      const answer = await this.answers.call(command, request);
      this.answers.stale(["rentals"]);
      return answer;
    } catch (thrown) {
      this.market.failed(command, thrown);
      return null;
    } finally {
      this.busy.delete(id);
    }
  }

  /** Opens a shell in this window. */
  connect(rental: RentalDto): void {
    if (rental.actions.includes("connect")) void this.terminals.open(rental);
    else this.toasts.show({ tone: "warn", text: m.connect_not_yet({ name: rental.name }) });
  }

  /** Opens it in another program, or shows the command where none was found. */
  async openIn(rental: RentalDto, program: "terminal" | "vscode" | "cursor"): Promise<void> {
    const opened = await this.#ask(rental.id, "open_in", { rental: rental.id, program });
    if (!opened) return;
    if (opened.program) {
      this.toasts.show({ tone: "good", text: m.opened_in({ name: rental.name, program: opened.program }) });
    } else {
      this.toasts.show({
        tone: "warn",
        text: m.opened_nothing(),
        detail: opened.command,
        action: { label: m.copy(), run: () => void this.market.copyPlain(opened.command) },
      });
    }
  }

  /** Copies the command that works in any terminal. */
  copySsh(rental: RentalDto): void {
    void this.market.copyPlain(`ssh ${rental.ssh?.alias ?? rental.name}`);
  }

  /** Asks for a stop; the dialog has said what it means. */
  async stop(rental: RentalDto): Promise<void> {
    if (await this.#ask(rental.id, "rental_stop", { rental: rental.id }))
      this.toasts.show({ tone: "plain", text: m.stop_asked({ name: rental.name }) });
  }

  /** Asks for a start. */
  async start(rental: RentalDto): Promise<void> {
    if (await this.#ask(rental.id, "rental_start", { rental: rental.id }))
      this.toasts.show({ tone: "plain", text: m.start_asked({ name: rental.name }) });
  }

  /** Ends it; the checklist has said what goes and what stays. */
  async end(rental: RentalDto): Promise<void> {
    const after = await this.#ask(rental.id, "rental_end", { rental: rental.id });
    if (!after) return;
    const confirmed = after.state === "ended";
    this.toasts.show({
      tone: confirmed ? "good" : "plain",
      text: confirmed ? m.end_confirmed({ name: rental.name }) : m.end_asked({ name: rental.name }),
      action: confirmed
        ? { label: m.receipt(), run: () => (this.sheet = { kind: "receipt", rental: after }) }
        : undefined,
    });
  }

  /** Gives it more time. */
  async extend(rental: RentalDto, hours: number): Promise<void> {
    const after = await this.#ask(rental.id, "rental_extend", { rental: rental.id, hours });
    if (after)
      this.toasts.show({ tone: "good", text: m.extended({ name: rental.name, span: units.hours(hours) }) });
  }

  /** Gives it other limits; rejects with what was wrong, for the sheet to show. */
  async setLease(rental: RentalDto, lease: LeaseSetRequest): Promise<void> {
    try {
      await this.answers.call("rental_lease_set", lease);
    } catch (thrown) {
      throw hostError("rental_lease_set", thrown);
    }
    this.answers.stale(["rentals"]);
    this.toasts.show({ tone: "good", text: m.lease_saved({ name: rental.name }) });
  }

  /** Says that it is needed: its idle time counts anew. */
  async keep(rental: RentalDto): Promise<void> {
    if (await this.#ask(rental.id, "rental_keep", { rental: rental.id }))
      this.toasts.show({ tone: "good", text: m.kept({ name: rental.name }) });
  }

  /** Acts on a machine that is not ours. */
  async unmanaged(
    machine: UnmanagedDto,
    action: "adopt" | "ignore" | "show" | "end",
    name = "",
  ): Promise<void> {
    const { account, remote_id } = machine;
    const shown = machine.name ?? remote_id;
    const page = await this.#ask(`${account} ${remote_id}`, "unmanaged_act", {
      account,
      remote_id,
      action,
      name,
    });
    if (!page) return;
    const said = {
      adopt: m.adopted({ name: name || shown }),
      ignore: m.ignored({ name: shown }),
      show: m.shown_again({ name: shown }),
      end: m.end_asked({ name: shown }),
    };
    this.toasts.show({ tone: "good", text: said[action] });
  }

  /** Opens a port forward; null where it could not be asked for. */
  async forward(
    rental: RentalDto,
    remote_port: number,
    preset: string,
    local_port: number | null,
  ): Promise<ForwardDto | null> {
    const opened = await this.#ask(rental.id, "forward_open", {
      rental: rental.id,
      remote_port,
      local_port,
      preset,
    });
    if (opened) this.answers.stale(["forwards"]);
    return opened;
  }

  /** Closes a port forward. */
  async unforward(forward: ForwardDto): Promise<void> {
    if (await this.#ask(forward.rental, "forward_close", { id: forward.id }))
      this.answers.stale(["forwards"]);
  }

  /** Copies files in or out. */
  async copyFiles(
    rental: RentalDto,
    direction: "to" | "from",
    local: string[],
    remote: string,
  ): Promise<boolean> {
    return (
      (await this.#ask(rental.id, "copy_start", { rental: rental.id, direction, local, remote })) !== null
    );
  }

  /** Stops a copy. */
  async cancelCopy(rental: string, id: number): Promise<void> {
    await this.#ask(rental, "copy_cancel", { id });
  }

  /** Compares accounts and records now. */
  async reconcile(): Promise<void> {
    const report = await this.#ask("", "reconcile", null);
    if (!report) return;
    const { complete, blind } = report;
    this.toasts.show({
      tone: blind.length > 0 ? "warn" : "good",
      text:
        blind.length > 0
          ? m.reconciled_partly({ accounts: blind.map((one) => one.account).join(", ") })
          : m.reconciled({ n: complete.length }),
    });
  }
}

/** The actions of this window on rentals, handed down from the root component. */
export const [getRentalActions, setRentalActions] = createContext<RentalActions>();
