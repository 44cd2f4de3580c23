// Starts the real app and drives its window; starts the practice market for it.

import { spawn } from "node:child_process";
import { mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Builder, By, error, Key, until } from "selenium-webdriver";

import { family, isRunning } from "./process.js";

export { By, Key, until };

/** Folder of the checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** How long to wait for something the window should do; generous, since the machine may be busy. */
const PATIENCE = 20_000;

/** Where the programs under test are. */
export const programs = path.resolve(root, process.env.GPUDESK_BIN ?? "target/debug");

/**
 * What the programs say goes into a file: helpers that a web view starts may outlive it, and would keep the pipe to a
 * test runner open that then waits for ever.
 */
mkdirSync(path.join(root, "target"), { recursive: true });
export const log = openSync(path.join(root, "target/window-tests.log"), "a");

/** A desk without a network logs every refused connection: only faults of our own are of interest here. */
process.env.GPUDESK_LOG ??= "error";

/** The variables of every base address, as simulators and adapters name them. */
function addressNames() {
  const text = ["tests/sim", "src-tauri/providers/src"]
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true }).map((file) => path.join(root, folder, file)),
    )
    .filter((file) => file.endsWith(".rs"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const services = [...text.matchAll(/\.base\("([a-z_]+)"/g)].map(
    ([, service]) => `GPUDESK_${service.toUpperCase()}_URL`,
  );
  return new Set([...services, ...(text.match(/GPUDESK_[A-Z_]+_URL/g) ?? [])]);
}

/** Addresses nobody listens at: what a desk without a network sees. */
export const offline = Object.fromEntries([...addressNames()].map((name) => [name, "http://127.0.0.1:9"]));

/** A new empty home for a desk. */
export async function newHome() {
  return mkdtemp(path.join(tmpdir(), "gpudesk-home-"));
}

/** Runs `gpudesk` to its end and gives its standard output. */
export async function gpudesk(args, { home, env = offline } = {}) {
  const child = spawn(path.join(programs, "gpudesk"), args, {
    env: { ...process.env, ...env, GPUDESK_HOME: home },
    stdio: ["ignore", "pipe", log],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  const code = await new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
  if (code !== 0) throw new Error(`gpudesk ${args.join(" ")} ended with ${code}`);
  return out;
}

/** The practice market, on a port of its own. */
export class Market {
  static async start() {
    const market = new Market();
    market.child = spawn(path.join(programs, "gpudesk-practice"), [], { stdio: ["ignore", "pipe", log] });
    market.env = {};
    market.keys = {};
    for await (const line of createInterface({ input: market.child.stdout })) {
      if (line === "") break;
      const at = line.indexOf("=");
      const [name, value] = [line.slice(0, at), line.slice(at + 1)];
      (name.endsWith("_KEY") ? market.keys : market.env)[name] = value;
    }
    market.address = market.env.GPUDESK_VAST_URL;
    return market;
  }

  /** Lets a service fail: `{ path, kind, … }` as tests/sim/fault.rs describes. */
  async fail(fault) {
    await this.#ask("/_sim/faults", { method: "POST", body: JSON.stringify(fault) });
  }

  async heal() {
    await this.#ask("/_sim/faults", { method: "DELETE" });
  }

  /** Multiplies every live price. */
  async movePrices(factor) {
    await this.#ask("/_sim/prices", { method: "POST", body: JSON.stringify({ factor }) });
  }

  async stop() {
    this.child.kill();
  }

  async #ask(where, options) {
    const answer = await fetch(this.address + where, {
      ...options,
      headers: { "content-type": "application/json" },
    });
    if (!answer.ok) throw new Error(`the practice market answered ${answer.status} to ${where}`);
  }
}

/** Elements that have a role without saying so. */
const roles = {
  button: "button:not([role]), [role=button]",
  link: "a[href]",
  spinbutton: "input[type=number]",
  checkbox: "input[type=checkbox]",
};

/** What the driver says of an element that moves or goes while it is clicked. */
const passing = [
  "StaleElementReferenceError",
  "NoSuchElementError",
  "ElementNotInteractableError",
  "ElementClickInterceptedError",
];

/** The app and its one window. */
export class Desk {
  /**
   * Opens the app in `home` and waits until its first rows are painted, or, with `painted: false`, until its page
   * is there at all.
   */
  static async open({ home, ...options } = {}) {
    const desk = new Desk();
    desk.ownHome = home === undefined;
    desk.home = home ?? (await newHome());
    desk.options = options;
    await desk.#start();
    return desk;
  }

  /** Ends the app and starts it again in the same home. */
  async restart() {
    await this.#end();
    await this.#start();
  }

  async close() {
    await this.#end();
    if (this.ownHome) await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #start() {
    const { env = offline, size = [1440, 860], painted = true, binary = "gpudesk-app" } = this.options;
    const port = await freePort();
    // The app inherits the driver's environment; the last variable lets it be driven.
    this.service = spawn("WebKitWebDriver", [`--port=${port}`, "--host=127.0.0.1"], {
      env: { ...process.env, ...env, GPUDESK_HOME: this.home, TAURI_WEBVIEW_AUTOMATION: "true" },
      stdio: ["ignore", log, log],
    });
    try {
      await answering(`http://127.0.0.1:${port}/status`);
      this.driver = await new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities({
          browserName: "wry",
          "webkitgtk:browserOptions": { binary: path.resolve(programs, binary), args: [] },
        })
        .build();
      await this.resize(size);
      if (painted) await this.until(() => document.documentElement.dataset.painted, "the first rows");
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #end() {
    const apps = (await family(this.service.pid)).filter(({ name }) => name.startsWith("gpudesk-app"));
    await this.driver?.quit().catch(() => {});
    this.service.kill();
    // The driver closes the page, which need not end the app; and there is one app a home: the next must be the only one.
    for (const { pid } of apps) await end(pid);
  }

  async resize([width, height]) {
    await this.driver.manage().window().setRect({ width, height });
  }

  /** Runs a function in the page. */
  run(script, ...args) {
    return this.driver.executeScript(script, ...args);
  }

  /** Waits until a function run in the page gives something true, and gives that. */
  until(script, what = String(script), ...args) {
    return this.driver.wait(
      async () => this.run(script, ...args),
      PATIENCE,
      `waited in vain for: ${what}`,
      50,
    );
  }

  /** The first visible element that matches, as soon as there is one. */
  find(selector) {
    return this.first(selector, () => true, `an element ${selector}`);
  }

  /** The first visible element of this role whose accessible name contains `name`. */
  role(role, name) {
    const named = async (element) => (await element.getAccessibleName()).includes(name);
    return this.first(roles[role] ?? `[role=${role}]`, named, `a ${role} named ${name}`);
  }

  /** The first visible element that matches and of which `fits` is true, as soon as there is one. */
  first(selector, fits, what) {
    return this.driver.wait(
      async () => {
        try {
          for (const element of await this.driver.findElements(By.css(selector))) {
            if ((await element.isDisplayed()) && (await fits(element))) return element;
          }
        } catch (fault) {
          // The page was drawn anew while it was looked at: look again.
          if (!(fault instanceof error.StaleElementReferenceError)) throw fault;
        }
        return null;
      },
      PATIENCE,
      `waited in vain for ${what}`,
      50,
    );
  }

  /**
   * Clicks on what a function run in the page finds, as soon as it finds it and it can be clicked: a page on which
   * figures arrive draws its rows anew, and what was found a moment ago may be gone.
   */
  async click(script, what, ...args) {
    await this.driver.wait(
      async () => {
        try {
          const element = await this.run(script, ...args);
          if (!element) return false;
          await element.click();
          return true;
        } catch (problem) {
          if (passing.includes(problem.name)) return false;
          throw problem;
        }
      },
      PATIENCE,
      `waited in vain to click ${what}`,
      50,
    );
  }

  /** Clicks the first enabled button in sight that says or is called this; with `scope`, of the first such element. */
  async clickButton(name, scope = "body") {
    await this.click(
      (name, scope) =>
        [...(document.querySelector(scope)?.querySelectorAll("button") ?? [])].find(
          (button) =>
            !button.disabled &&
            button.checkVisibility() &&
            `${button.innerText} ${button.ariaLabel ?? ""}`.includes(name),
        ),
      `the button ${name}`,
      name,
      scope,
    );
  }

  /** Asks the desk as the page does; gives its answer, or the error in its place. */
  ask(command, request = null) {
    return this.driver.executeAsyncScript(
      function (command, request, done) {
        window.__TAURI_INTERNALS__.invoke("call", { command, request }).then(done, done);
      },
      command,
      request,
    );
  }

  /** Presses keys, wherever the focus is. */
  async press(...keys) {
    await this.driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  /** Presses a key while Control is held. */
  async control(key) {
    await this.driver.actions().keyDown(Key.CONTROL).sendKeys(key).keyUp(Key.CONTROL).perform();
  }

  /** All text of the page. */
  text() {
    return this.run(() => document.body.innerText);
  }

  /** Waits until the page says this. */
  async says(words) {
    await this.until((words) => document.body.innerText.includes(words), `the words “${words}”`, words);
  }

  /**
   * A picture of the page as PNG. The driver takes it after the next frame, and a page that stands still draws none:
   * a dot that nobody sees changes until the picture is there.
   */
  async picture(file) {
    await this.run(() => {
      const dot = document.createElement("div");
      dot.id = "changing-dot";
      dot.style.cssText = "position: fixed; right: 0; bottom: 0; width: 1px; height: 1px";
      document.body.append(dot);
      const change = () => {
        dot.style.background = dot.style.background ? "" : "rgb(128 128 128 / 1%)";
        if (dot.isConnected) requestAnimationFrame(change);
      };
      change();
    });
    const png = Buffer.from(await this.driver.takeScreenshot(), "base64");
    await this.run(() => document.getElementById("changing-dot").remove());
    if (file) await writeFile(file, png);
    return png;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks a process to end, and waits until it is gone. */
async function end(pid) {
  const deadline = Date.now() + PATIENCE;
  while (await isRunning(pid)) {
    try {
      process.kill(pid, Date.now() < deadline ? "SIGTERM" : "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until somebody answers at an address. */
async function answering(address) {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    try {
      await fetch(address);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
