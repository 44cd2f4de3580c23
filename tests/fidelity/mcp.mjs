// Drives RunPod's own MCP server over its standard input and output.
//   node mcp.mjs SERVER <LINES        each line {"tool": NAME, "arguments": {…}}, each answered by a line
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const server = spawn(process.execPath, [process.argv[2]], { stdio: ["pipe", "pipe", "ignore"] });
const waiting = new Map();
let last = 0;

createInterface({ input: server.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});
server.on("exit", (code) => process.exit(code ?? 1));

const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const ask = (method, params) =>
  new Promise((resolve) => {
    last += 1;
    waiting.set(last, resolve);
    send({ id: last, method, params });
  });

await ask("initialize", {
  protocolVersion: "2025-03-26",
  capabilities: {},
  clientInfo: { name: "gpudesk-fidelity", version: "1" },
});
send({ method: "notifications/initialized" });

for await (const line of createInterface({ input: process.stdin })) {
  const { tool, arguments: given } = JSON.parse(line);
  const message = await ask("tools/call", { name: tool, arguments: given });
  process.stdout.write(JSON.stringify(message.error ? { error: message.error } : message.result) + "\n");
}
server.kill();
