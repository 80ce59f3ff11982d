"""Pages that want to harm a browser, or to tell someone that they were read; and someone who listens."""

import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

_ALL_AT_ONCE = "let f=document.createElement('iframe');document.body.append(f);"

HOSTILE = {
    "endless script": "<p>words<script>for(;;);</script>",
    "endless timer": "<p>words<script>setInterval(()=>{for(;;);},0)</script>",
    "endless promises": "<p>words<script>(function f(){Promise.resolve().then(f)})()</script>",
    "dialogs": "<p>words<script>alert(1);confirm(2);prompt(3);print();onbeforeunload=()=>'stay'</script>",
    "dialogs without end": "<p>words<script>for(;;)alert(1)</script>",
    "popups": "<p>words<script>for(let i=0;i<200;i++)open('about:blank')</script>",
    "downloads": "<p>words<a id=a download href='data:a/b,x'></a><script>for(let i=0;i<50;i++)a.click()</script>",
    "moves": "<p>words<script>location='/'+Math.random()</script>",
    "reloads": "<p>words<script>location.reload()</script>",
    "refreshes": "<meta http-equiv=refresh content='0;url=/again'><p>words",
    "moves into itself": "<p>words<script>location=URL.createObjectURL(new Blob([document.documentElement.outerHTML],"
    "{type:'text/html'}))</script>",
    "10,000 frames": "<p>words" + "<iframe></iframe>" * 10_000,
    "10,000 frames by script": f"<p>words<script>for(let i=0;i<10000;i++){{{_ALL_AT_ONCE}f.srcdoc='x'}}</script>",
    "frames in itself": "<p>words<iframe src='?'></iframe><iframe src=''></iframe>",
    "memory": "<p>words<script>let a=[];for(;;)a.push(new Uint8Array(1<<20).fill(7))</script>",
    "objects": "<p>words<script>let a=[];for(;;)a.push({x:Math.random()+'abc'})</script>",
    "nodes": "<p>words<script>for(let i=0;i<3e6;i++)document.body.append(document.createElement('i'))</script>",
    "depth": "<p>words<script>let c=document.body;for(let i=0;i<2e4;i++)"
    "c=c.appendChild(document.createElement('i'))</script>",
    "long text": "<p>words<script>document.body.append('x'.repeat(3e8))</script>",
    "long text in the shade": "<p>words<div id=h></div><script>h.attachShadow({mode:'closed'}).append('x'.repeat(3e8))"
    "</script>",
    "workers": "<p>words<script>for(let i=0;i<50;i++)new Worker(URL.createObjectURL(new Blob(['for(;;);'])))</script>",
    "canvases": "<p>words<script>for(let i=0;i<300;i++){let c=document.createElement('canvas');c.width=c.height=16000;"
    "c.getContext('2d').fillRect(0,0,16000,16000);document.body.append(c)}</script>",
    "crash": "<p>words<script>location='chrome://crash'</script>",
    "tampering": "<p>words<script>Object.defineProperty(document,'documentElement',{get(){for(;;);}});"
    "Array.prototype.map=JSON=null</script>",
    "addresses without end": "<p>words<script>for(let i=0;i<1e5;i++)history.pushState(0,'','#'+i)</script>",
    "vast": "<p style='width:1e9px;height:1e9px'>words",
}
"""Each begins with the text "words", or never shows any."""


def everything(port: int) -> str:
    """A page that tries each way there is to reach 127.0.0.1 on a port, by address and by name."""
    there, wire = f"http://127.0.0.1:{port}", f"ws://127.0.0.1:{port}"
    return f"""<!DOCTYPE html><title>x</title>
<meta http-equiv=Content-Security-Policy-Report-Only content="img-src 'none'; report-uri {there}/report">
<link rel=stylesheet href=own.css><link rel=stylesheet href={there}/a.css><link rel=icon href={there}/icon.png>
<link rel=preconnect href={there}><link rel=dns-prefetch href=//localhost:{port}><link rel=manifest href={there}/m>
<link rel=prefetch href={there}/pre><link rel=preload as=script href={there}/load.js>
<link rel=prerender href={there}/render><link rel=modulepreload href={there}/module.js>
<script type=speculationrules>{{"prerender":[{{"urls":["{there}/spec"]}}],"prefetch":[{{"urls":["{there}/sp"]}}]}}
</script>
<style>@import "{there}/b.css";@font-face{{font-family:f;src:url({there}/f.woff)}}
p{{background:url({there}/c.png);font-family:f}}</style>
<p>tried everything<img src={there}/a.png srcset="{there}/b.png 2x"><img src=http://localhost:{port}/l.png>
<img src=//0.0.0.0:{port}/z.png><img src="//[::1]:{port}/s.png"><img src=http://2130706433:{port}/n.png>
<iframe src={there}/frame></iframe><iframe srcdoc="<img src={there}/in.png><script>fetch('{there}/in')</script>">
</iframe><object data={there}/o></object><embed src={there}/e><video src={there}/v poster={there}/p autoplay></video>
<audio src={there}/au autoplay></audio><svg><image href={there}/svg.png /><use href={there}/u.svg#x /></svg>
<input type=image src={there}/i.png><script src={there}/s.js></script>
<form id=f action={there}/form method=post><input name=a value=b></form>
<a id=k href={there}/k ping={there}/ping>k</a><a id=d download href={there}/d>d</a>
<iframe name=t></iframe><form id=g target=t action={there}/form></form>
<script>
const tries=[()=>fetch('{there}/fetch',{{mode:'no-cors'}}),()=>fetch('{there}/post',{{method:'POST',body:'x',
 mode:'no-cors',keepalive:true}}),()=>navigator.sendBeacon('{there}/beacon','x'),()=>new WebSocket('{wire}/ws'),
 ()=>new EventSource('{there}/events'),()=>{{const x=new XMLHttpRequest();x.open('GET','{there}/xhr');x.send()}},
 ()=>new WebTransport('https://127.0.0.1:{port}/wt'),()=>new Worker('{there}/worker.js'),
 ()=>new SharedWorker(URL.createObjectURL(new Blob(["fetch('{there}/shared')"]))),
 ()=>new Worker(URL.createObjectURL(new Blob(["fetch('{there}/blob');new WebSocket('{wire}/b')"]))),
 ()=>navigator.serviceWorker.register('/sw.js'),()=>import('{there}/import.js'),
 ()=>{{for(const u of ['stun:127.0.0.1:{port}','turn:127.0.0.1:{port}?transport=tcp',
  'turn:127.0.0.1:{port}?transport=udp','stun:localhost:{port}']){{const c=new RTCPeerConnection(
  {{iceServers:[{{urls:u,username:'u',credential:'c'}}]}});c.createDataChannel('x');
  c.createOffer().then(o=>c.setLocalDescription(o))}}}},
 ()=>open('{there}/open'),()=>k.click(),()=>d.click(),()=>g.submit(),()=>f.submit(),
 ()=>new Image().src='{there}/late.png',()=>document.fonts.load('12px f'),
 ()=>location='{there}/gone'];
for(const attempt of tries)try{{attempt()}}catch(error){{}}
</script>"""


class Ears:
    """Listens on a port of this machine, TCP and UDP, and notes whoever comes."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._threads = [threading.Thread(target=listen, daemon=True) for listen in (self._accept, self._receive)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for listener in (self._tcp, self._udp):
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._tcp.accept()
                connection.settimeout(1)
                with connection, suppress(OSError):
                    self.heard.append(f"tcp {connection.recv(100)!r}")

    def _receive(self) -> None:
        with suppress(OSError):
            while data := self._udp.recv(100):
                self.heard.append(f"udp {data!r}")


class Server(ThreadingHTTPServer):
    """A small site."""

    daemon_threads = True
    pages: Mapping[str, str] = {}

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.port: int = self.server_address[1]
        self.asked: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        found = self.server.pages.get(self.path)
        self.send_response(404 if found is None else 200)
        self.send_header("Content-Type", "text/css" if self.path.endswith(".css") else "text/html")
        self.end_headers()
        self.wfile.write((found or "").encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def site(pages: Mapping[str, str]) -> Iterator[Server]:
    """Serve these pages on a port of this machine."""
    server = Server()
    server.pages = pages
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def browsers(mark: str) -> list[int]:
    """Live processes of a Chromium or its driver that were started with this in PAGESTRATA_MARK."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):  # gone meanwhile
            is_browser = any(word in (folder / "cmdline").read_bytes() for word in (b"chromium", b"run-driver"))
            is_live = (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            if is_browser and is_live and f"PAGESTRATA_MARK={mark}\0".encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


def are_gone(mark: str, seconds: float) -> bool:
    """Whether none of them is left within this time."""
    end = time.monotonic() + seconds
    while browsers(mark):
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True
